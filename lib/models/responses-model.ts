import type { Endpoint } from '@/lib/cards/models/endpoint';
import type { HttpTransport } from './http-transport';
import { addressWithPath, clientOptions } from './openai';
import { RepeatingClient } from './openai-client';
import { clientFault } from './openai-errors';
import { responsesBody, responsesDispensable } from './responses-request';
import { ResponsesReader } from './responses-stream';
import type { Wire } from './wire-model';

const jsonHeaders = { 'content-type': 'application/json' };

/** The wire of OpenAI's Responses. Source: platform.openai.com/docs/api-reference/responses. */
export function responsesWire(endpoint: Endpoint, transport: HttpTransport): Wire {
  const url = addressWithPath(endpoint.address, '/responses');
  let client: RepeatingClient | undefined;
  return {
    name: 'responses',
    post(body, options) {
      client ??= new RepeatingClient(clientOptions(endpoint), transport);
      return client.post(url, { ...options, body, headers: jsonHeaders, stream: true }).asResponse();
    },
    takesFormat: () => true,
    dispensable: responsesDispensable,
    body: (request, more) => responsesBody(request, endpoint.model, more),
    read: (stream, options) => new ResponsesReader(options).read(stream),
    faultOf: clientFault,
  };
}
