/** The protocol's paths, below a service's base path (contract §1). */
export const PATHS = {
  invoke: "/v1/invoke",
  info: "/v1/info",
  health: "/healthz",
  ready: "/readyz",
} as const;
