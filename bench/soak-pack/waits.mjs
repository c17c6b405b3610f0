/** Waits until its signal aborts. */
export default (input, { abortSignal, log }) =>
  new Promise((resolve, reject) => {
    abortSignal.addEventListener("abort", () => reject(abortSignal.reason), { once: true });
    log.info("entered");
  });
