/** Logs many lines in one turn. */
export default (input, { log }) => {
  for (let i = 0; i < input.lines; i++) log.info("burst", { i, padding: "x".repeat(200) });
  return {};
};
