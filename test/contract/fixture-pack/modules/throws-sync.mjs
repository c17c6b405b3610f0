export { throwsSync as default } from "./throws.mjs";
