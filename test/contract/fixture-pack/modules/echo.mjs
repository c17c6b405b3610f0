export default (input, ctx) => ({ input, ctx: { ...ctx } });
