export default ({ name }) => ({ greeting: `Hello, ${name}` });
