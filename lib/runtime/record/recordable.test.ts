import { describe, expect, it } from 'vitest';
import type { Settings } from '@/lib/cards/settings';
import { runCalls } from '@/lib/testing/run-calls';
import { payloadsOf } from '@/lib/trace/payloads';

const kid = (args: Record<string, unknown> | string) => ({ tool: 'agent__kid', arguments: args });

async function recorded(args: Record<string, unknown> | string, recording: Settings['recording'] = {}) {
  const run = await runCalls('lead > kid', [kid(args)], { settings: { recording } });
  return { run, shown: run.sink.of('tool.started')[0]?.arguments };
}

describe('what is recorded of arguments', () => {
  it('leaves out secrets; the child gets them all the same', async () => {
    const { run, shown } = await recorded({ city: 'Bern', api_key: 'k', deep: { pin: 1 } }, { redact_keys: ['pin'] });
    expect(shown).toEqual({ city: 'Bern', api_key: '[redacted]', deep: { pin: '[redacted]' } });
    expect(run.inputs).toEqual(['{"city":"Bern","api_key":"k","deep":{"pin":1}}']);
    const message = run.sink.of('model.ended')[0];
    expect(JSON.stringify(message && payloadsOf(message))).not.toContain('\\"k\\"');
  });

  it('leaves them out of the key of a cached answer too', async () => {
    const run = await runCalls('lead > kid', [kid({ api_key: 'k' })], {
      settings: { delegation_defaults: { cache: true } },
    });
    expect(run.sink.of('instance.started')[1]?.cacheKey).toMatch(/^[0-9a-f]{64}$/);
  });

  it('cuts what is too long', async () => {
    const { run, shown } = await recorded({ text: 'ü'.repeat(400) }, { max_payload_bytes: 256 });
    expect(shown).toMatch(/^\{"text":"ü+\[cut: first 255 of 811 bytes\]$/);
    expect(run.inputs).toEqual(['ü'.repeat(400)]);
  });

  it('takes secrets out of what is no JSON', async () => {
    expect((await recorded('{"token": "abc", "q": ')).shown).toBe('{"token": "[redacted]", "q": ');
  });
});
