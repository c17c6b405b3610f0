module.exports = () => ({ shape: "module.exports" });
