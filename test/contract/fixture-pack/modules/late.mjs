/** Settles only after its signal has aborted. */
export default (input, { abortSignal, log }) => {
  log.info("entered");
  return new Promise((resolve, reject) => {
    abortSignal.addEventListener("abort", () => {
      setTimeout(input.fails ? () => reject(new Error("too late")) : () => resolve({}), 5);
    });
  });
};
