export const run = () => ({ shape: "run, though default is there" });
export const handler = () => ({ shape: "handler, though default is there" });
export default () => ({ shape: "default first" });
