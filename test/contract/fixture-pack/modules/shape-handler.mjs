export const handler = () => ({ shape: "handler" });
