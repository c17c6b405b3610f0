let count = 0;

/** One function of a module that two tools share. */
export default () => {
  count += 1;
  return { count };
};
