/** Takes longer than its caller waits, and doesn't listen to its signal. */
export default ({ ms }) => new Promise((resolve) => setTimeout(resolve, ms, "late"));
