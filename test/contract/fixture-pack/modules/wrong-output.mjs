export default () => ({ greeting: 7 });
