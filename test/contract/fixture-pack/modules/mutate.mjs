/** Spoils all that it was given, then returns it. */
export default (input, ctx) => {
  input.added = true;
  if (input.list) input.list.push("mutated");
  ctx.tenantId = "changed";
  return input;
};
