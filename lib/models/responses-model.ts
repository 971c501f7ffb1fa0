import type { Endpoint } from '@/lib/cards/models/endpoint';
import type { HttpTransport } from './http-transport';
import { addressWithPath, clientOptions } from './openai';
import { RepeatingClient } from './openai-client';
import { clientFault } from './openai-errors';
import { responsesBody } from './responses-request';
import { ResponsesReader } from './responses-stream';
import type { Wire } from './wire-model';

const jsonHeaders = { 'content-type': 'application/json' };

/** The wire of OpenAI's Responses. Source: platform.openai.com/docs/api-reference/responses. */
export function responsesWire(endpoint: Endpoint, transport: HttpTransport): Wire {
  const url = addressWithPath(endpoint.address, '/responses');
  let client: RepeatingClient | undefined;
  const left: Set<'summary' | 'include'> = new Set();
  const leave = (part: 'summary' | 'include') => {
    left.add(part);
    return part;
  };
  return {
    name: 'responses',
    post(body, options) {
      client ??= new RepeatingClient(clientOptions(endpoint), transport);
      return client.post(url, { ...options, body, headers: jsonHeaders, stream: true }).asResponse();
    },
    takesFormat: () => true,
    body: (request, { origin, tools, format, refused }) =>
      responsesBody(request, endpoint.model, tools, { origin, format, without: left, refused }),
    read: (stream, options) => new ResponsesReader(options).read(stream),
    leavesOut({ code, message }) {
      if (code !== 'model_rejected') return undefined;
      // OpenAI gives summaries to verified organisations alone, and models without reasoning have none to encrypt.
      if (/reasoning[._ ]summar/i.test(message)) return leave('summary');
      const isRefused = /encrypted[_ ]content.{0,60}(?:not support|unsupported)|['"`]include\b/i.test(message);
      return isRefused ? leave('include') : undefined;
    },
    faultOf: clientFault,
  };
}
