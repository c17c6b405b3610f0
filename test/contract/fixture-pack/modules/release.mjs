import { release } from "./hold.mjs";

export default release;
