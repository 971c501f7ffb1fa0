// A server of the official A2A SDK as a process of its own. Prints `{"port"}` as its first line. Ends when the IPC channel of its
// parent closes. The environment variable A2A_SERVER holds JSON settings:
//   port, token, streaming (default true), legacy (version 0.3), cardPath
// Beside the agent (agent.mjs) it offers:
//   GET  /control/seen      what the agent was sent
//   POST /control/release   ends the tasks that wait
//   POST /control/reset     forgets what it was sent
//   POST /control/drop      cuts every open connection
import http from 'node:http';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { agent, release, reset, seen } from './agent.mjs';

const settings = {
  streaming: true,
  cardPath: '/.well-known/agent-card.json',
  ...JSON.parse(process.env.A2A_SERVER ?? '{}'),
};
const app = express();
const server = http.createServer(app);

app.use('/control', (request, response) => {
  if (request.path === '/release') release();
  if (request.path === '/reset') reset();
  if (request.path === '/drop') {
    response.on('finish', () => server.closeAllConnections());
    response.setHeader('connection', 'close');
  }
  response.json(seen);
});

app.use((request, response, next) => {
  seen.requests.push({ method: request.method, path: request.path, headers: request.headers });
  if (settings.token === undefined || request.headers.authorization === `Bearer ${settings.token}`) return next();
  response.status(401).json({ error: 'unauthorized' });
});

server.listen(settings.port ?? 0, '127.0.0.1', () => {
  const { port } = server.address();
  const at = `http://127.0.0.1:${port}`;
  const protocolVersion = settings.legacy ? '0.3' : '1.0';
  const card = {
    name: 'test agent',
    description: 'An agent for tests.',
    version: '1',
    supportedInterfaces: [
      { url: `${at}/a2a/jsonrpc`, protocolBinding: 'JSONRPC', protocolVersion, tenant: '' },
      { url: `${at}/a2a/rest`, protocolBinding: 'HTTP+JSON', protocolVersion, tenant: '' },
    ],
    provider: undefined,
    capabilities: { streaming: settings.streaming, pushNotifications: false, extensions: [] },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    signatures: [],
  };
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), agent);
  const options = {
    requestHandler,
    userBuilder: UserBuilder.noAuthentication,
    legacyCompat: { enabled: settings.legacy === true },
  };
  const legacyCard = { ...card, url: `${at}/a2a/jsonrpc`, preferredTransport: 'JSONRPC', protocolVersion: '0.3.0' };
  app.get(settings.cardPath, (_, response) => {
    response.json(settings.legacy ? { ...legacyCard, supportedInterfaces: undefined } : card);
  });
  app.use('/a2a/jsonrpc', jsonRpcHandler(options));
  app.use('/a2a/rest', restHandler(options));
  console.log(JSON.stringify({ port }));
});

process.once('disconnect', () => process.exit(0));
