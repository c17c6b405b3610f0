import { types } from "node:util";

const { isBoxedPrimitive, isProxy } = types;

/** The `isExotic` of the runtimes that have Node's `util`. */
export const isExotic = (value: object): boolean => isProxy(value) || isBoxedPrimitive(value);
