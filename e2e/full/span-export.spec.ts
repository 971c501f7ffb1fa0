import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { readOtlpJson } from '../../lib/interop/otlp/read-otlp-json';
import { createProject, startRun, waitForEnd } from '../api';
import { type AppProcess, startApp } from '../app-process';
import { expect, test } from '../test';

/** A collector that the operator has set in the environment of the launcher receives the spans of runs. */

let app: AppProcess;
let collector: http.Server;
const spans: string[] = [];

test.beforeAll(async () => {
  collector = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      if (request.headers.authorization === 'Bearer of-the-collector')
        spans.push(...readOtlpJson(body).spans.map(({ name }) => name));
      response.end();
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  app = await startApp({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  });
});

test.afterAll(async () => {
  await app?.stop();
  collector?.close();
});

test('a collector gets the spans of a run as JSON, with the header of the operator', async () => {
  const project = await createProject(app.url, 'Exported', {
    'agent-cards/lead.md': '---\nname: lead\ndefault: true\nmodel: passthrough\n---\nSay the weather.\n',
  });
  const run = await startRun(app.url, project, 'Hello');
  expect(await waitForEnd(app.url, run)).toBe('completed');
  await expect.poll(() => spans).toContain('chat passthrough');
});
