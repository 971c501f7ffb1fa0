import type { Convention } from './convention';

const keys = ['http.request.method', 'http.method', 'url.full', 'db.system', 'db.system.name', 'rpc.system'];

/** Requests and queries of other instrumentations. They are steps of whatever they belong to. */
export const infrastructure: Convention = {
  kind: (_, reader) =>
    [...keys, 'messaging.system', 'faas.trigger'].some((key) => reader.has(key)) ? 'step' : undefined,
};

/** Calls of tools that the SDKs of MCP record. */
export const mcp: Convention = {
  kind: (_, reader) => {
    const method = reader.text('mcp.method.name');
    if (method === undefined) return undefined;
    return method === 'tools/call' ? 'tool' : 'step';
  },
  names: { serverName: ['mcp.server.name'] },
  read: ({ reader, kind }) => (kind === 'tool' && reader.has('mcp.method.name') ? { source: 'mcp' } : undefined),
};
