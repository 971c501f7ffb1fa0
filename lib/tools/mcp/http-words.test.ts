import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, test } from 'vitest';
import { httpFaultOf } from './http-words';

test.each([
  ['tags', '<a'.repeat(500_000), `HTTP 502: ${'<a'.repeat(150)}…`],
  ['scripts', '<script>'.repeat(200_000), 'HTTP 502'],
  ['heads', '<head>  '.repeat(200_000), 'HTTP 502'],
])('an error page of %s without an end is read in no time', (_, page, words) => {
  const error = new StreamableHTTPError(502, `Error POSTing to endpoint: ${page}`);
  expect(httpFaultOf(error)?.words).toBe(words);
});
