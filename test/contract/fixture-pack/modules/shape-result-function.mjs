export const run = { kind: "ok", value: () => ({ shape: "ok(run)" }) };
