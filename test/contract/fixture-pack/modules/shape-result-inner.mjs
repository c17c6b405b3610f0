export default { handler: { kind: "ok", value: () => ({ shape: "default.ok(handler)" }) } };
