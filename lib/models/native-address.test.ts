import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProviderSections } from '@/lib/cards/config';
import { readConfig } from '@/lib/cards/read/read-config';
import { parseYaml } from '@/lib/cards/yaml/yaml-source';
import { fakeClock } from '@/lib/testing/fake-clock';
import { type FakeProvider, startFakeProvider } from '@/lib/testing/fake-provider';
import { messagesStream } from '@/lib/testing/messages-answers';
import { modelsWith } from '@/lib/testing/models-with';
import { responsesStream } from '@/lib/testing/responses-answers';
import { ask, brief, sampleRequest } from '@/lib/testing/sample-request';
import { createAddressGuard } from '@/lib/tools/mcp/address-guard';
import { ownPort } from '@/lib/tools/mcp/own-addresses';

const key = 'sk-of-the-operator-1';

/** A server for both formats, which answers by the path of the request. */
let server: FakeProvider;
beforeEach(async () => {
  server = await startFakeProvider(({ path }) => {
    if (path === '/moved/v1/messages' || path === '/moved/v1/responses')
      return { status: 302, headers: { location: 'http://elsewhere.example/' }, pieces: [''] };
    return path.includes('/messages')
      ? messagesStream({ content: [{ type: 'text', text: 'ok' }] })
      : responsesStream({ output: [{ type: 'message', id: 'm', content: [{ type: 'output_text', text: 'ok' }] }] });
  });
});
afterEach(() => server.close());

function sections(yaml: string): ProviderSections {
  return readConfig('fast-agent.yaml', yaml, parseYaml({ text: yaml, offset: 0 })).config.providers;
}

async function say(provider: string, settings: string, env = {}, guard = createAddressGuard(undefined)) {
  const wire = provider === 'openai' ? ', wire: responses' : '';
  const providers = sections(`${provider}: { ${settings}${wire} }`);
  const clock = { ...fakeClock(), sleep: async () => {} };
  const models = modelsWith({ [`${provider.toUpperCase()}_API_KEY`]: key, ...env }, clock, { providers, guard });
  return brief((await ask(models, sampleRequest({ model: `${provider}.m` }))).response);
}

describe.each(['anthropic', 'openai'])('the own format of %s', (provider) => {
  const sentHeaders = () => JSON.stringify(server.requests.map(({ headers }) => headers));

  test("a base_url that a folder names gets the folder's key and headers, never the operator's key", async () => {
    expect(await say(provider, `base_url: "${server.url}"`)).toBe('ok');
    expect(await say(provider, `base_url: "${server.url}", api_key: sk-folder, default_headers: { X-Team: red }`)).toBe(
      'ok',
    );
    expect(server.requests).toHaveLength(2);
    expect(sentHeaders()).not.toContain(key);
    expect(sentHeaders()).toMatch(/sk-folder/);
    expect(server.requests[1]?.headers['x-team']).toBe('red');
  });

  test("the operator's address gets the operator's key and no headers of the folder", async () => {
    const env = { [`${provider.toUpperCase()}_BASE_URL`]: server.url };
    expect(await say(provider, 'default_headers: { X-Forward-To: "http://elsewhere" }', env)).toBe('ok');
    expect(sentHeaders()).toContain(key);
    expect(sentHeaders()).not.toContain('elsewhere');
  });

  test('an address that a folder names is called through the guard', async () => {
    const guard = createAddressGuard('1', { own: [ownPort('Callboard itself', Number(new URL(server.url).port))] });
    expect(await say(provider, `base_url: "${server.url}"`, {}, guard)).toMatch(/Callboard itself/);
    const byName = server.url.replace('127.0.0.1', 'localhost');
    expect(await say(provider, `base_url: "${byName}"`, {}, guard)).toMatch(/Callboard itself/);
    expect(await say(provider, 'base_url: "http://169.254.169.254/v1"')).toMatch(/link-local, cloud metadata/);
    expect(server.requests).toEqual([]);
  });

  test('the query of an address stays', async () => {
    expect(await say(provider, `base_url: "${server.url}?tenant=red"`)).toBe('ok');
    expect(server.requests.map(({ path }) => path)).toEqual([
      provider === 'anthropic' ? '/v1/messages?tenant=red' : '/v1/responses?tenant=red',
    ]);
  });

  test('a redirect is not followed', async () => {
    const moved = server.url.replace('/v1', '/moved/v1');
    expect(await say(provider, `base_url: "${moved}"`)).toMatch(
      /^! model_bad_response: .*redirects to http:\/\/elsewhere/,
    );
    expect(server.requests).toHaveLength(1);
  });

  test('a server that is not there is tried again and then named', async () => {
    const said = await say(provider, 'base_url: "http://127.0.0.1:9/v1"', {}, createAddressGuard('1'));
    expect(said).toMatch(/^! model_unreachable: Could not reach the model's server at 127\.0\.0\.1:9: ECONNREFUSED/);
  });
});
