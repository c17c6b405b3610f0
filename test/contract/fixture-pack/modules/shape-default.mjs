export default (input, ctx) => ({ shape: "default", input, tenantId: ctx.tenantId });
