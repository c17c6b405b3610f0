/** Doesn't listen to its signal and never settles. */
export default (_input, { log }) => {
  log.info("entered");
  return new Promise(() => {});
};
