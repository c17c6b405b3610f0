/** Never settles; says what its signal tells it. */
export const evaluate = (config, _trace, { abortSignal }) =>
  new Promise((resolve) => {
    abortSignal.addEventListener("abort", () => resolve({ passed: false }));
    config.started?.();
  });
