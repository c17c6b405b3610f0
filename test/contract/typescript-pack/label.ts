export const label = (name: string): string => `typed ${name}`;
