export const run = () => ({ shape: "run" });
