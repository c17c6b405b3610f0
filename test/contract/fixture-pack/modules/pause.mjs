/** Returns after some turns of the event loop and 50 ms. */
export default () => new Promise((resolve) => setTimeout(resolve, 50, { paused: true }));
