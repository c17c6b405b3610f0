export default ({ text }, { requestId }) => ({ id: requestId, text });
