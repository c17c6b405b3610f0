export const evaluate = (config, trace, options) => ({
  passed: true,
  shape: "evaluate",
  config,
  trace,
  signal: options.abortSignal instanceof AbortSignal,
  optionNames: Object.keys(options),
  argumentCount: 3,
});
