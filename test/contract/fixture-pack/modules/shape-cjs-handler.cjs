exports.handler = () => ({ shape: "exports.handler" });
