// Keeps examples on the loopback and on free ports, whatever they ask for, and tells which servers they started.
import { Server } from "node:net";

const HOSTNAME = "127.0.0.1";

/** Observes from now on. Returns the list of servers, which its user may empty. */
export function observeServers() {
  const servers = [];
  if (globalThis.Bun) observeBun(servers);
  else if (globalThis.Deno) observeDeno(servers);
  else observeNode(servers);
  return servers;
}

function observeNode(servers) {
  const { listen } = Server.prototype;
  Server.prototype.listen = function (...args) {
    const callback = args.findLast((arg) => typeof arg === "function");
    const isListening = new Promise((resolve) => this.once("listening", resolve));
    servers.push({
      listening: async () => {
        await isListening;
        return this.address().port;
      },
      close: () => {
        this.close();
        this.closeAllConnections?.();
      },
    });
    return listen.call(this, { port: 0, host: HOSTNAME }, callback);
  };
}

function observeBun(servers) {
  const { serve } = Bun;
  Bun.serve = (options) => {
    const server = serve({ ...options, hostname: HOSTNAME, port: 0 });
    servers.push({ listening: () => server.port, close: () => server.stop(true) });
    return server;
  };
}

function observeDeno(servers) {
  const { serve } = Deno;
  Deno.serve = (options, handler) => {
    const own = { hostname: HOSTNAME, port: 0, onListen() {} };
    const server = serve({ ...options, ...own }, handler);
    servers.push({ listening: () => server.addr.port, close: () => server.shutdown() });
    return server;
  };
}
