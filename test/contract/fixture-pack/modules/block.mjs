/** Holds the thread for `input.blockMs`. */
export default (input) => {
  const end = Date.now() + input.blockMs;
  while (Date.now() < end);
  return { blocked: true };
};
