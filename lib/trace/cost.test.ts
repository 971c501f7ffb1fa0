import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brandAs, type InstancePath } from '@/lib/base/ids';
import type { EventBody } from '@/lib/runtime/record/events';
import { addUsage, noUsage, type Usage, withRecordedCost } from '@/lib/runtime/record/messages';
import { eventsOf } from '@/lib/testing/events-of';
import { begin, log, queued, toolOn } from '@/lib/testing/trace-log';
import { decodeTrace, encodeTrace } from './columns';
import { addCost, costOf, costOfModels, formatCost, isUsed, noCost, usageByModel, usageOf } from './cost';
import { emptyTrace } from './empty-trace';
import { foldEvent } from './fold';
import prices from './prices.json';
import { usageByInstance, usageByTemplate } from './usage';

const usage = (inputTokens: number, outputTokens: number, cachedInputTokens = 0): Usage => ({
  ...noUsage,
  inputTokens,
  outputTokens,
  cachedInputTokens,
  modelCalls: 1,
});

describe('costOf', () => {
  it('charges input, cached input and output', () => {
    expect(costOf(usage(1_000_000, 0), 'gpt-4o')).toBeCloseTo(2.5);
    expect(costOf(usage(1_000_000, 100_000, 400_000), 'openai.gpt-4o?temperature=0')).toBeCloseTo(1.5 + 0.5 + 1);
    expect(costOf(usage(1_000_000, 0, 1_000_000), 'gpt-3.5-turbo')).toBeCloseTo(0.5);
  });

  it('charges more for what Anthropic writes to its cache, and as input what others write', () => {
    const written = { ...usage(1_000_000, 0, 300_000), cacheWriteTokens: 400_000 };
    expect(costOf(written, 'anthropic.claude-opus-5')).toBeCloseTo(0.3 * 5 + 0.3 * 0.5 + 0.4 * 6.25);
    expect(costOf(written, 'openai.gpt-5-mini')).toBeCloseTo(0.7 * 0.25 + 0.3 * 0.025);
    expect(costOf({ ...usage(100, 0), cacheWriteTokens: 1_000_000 }, 'anthropic.claude-opus-5')).toBeCloseTo(625e-6);
  });

  it('sums what was written to the cache, and has no count where none was', () => {
    const written = { ...usage(10, 0), cacheWriteTokens: 4 };
    expect(addUsage(addUsage(noUsage, written), written).cacheWriteTokens).toBe(8);
    expect(addUsage(noUsage, usage(10, 0))).not.toHaveProperty('cacheWriteTokens');
  });

  it('charges thinking as output', () => {
    expect(costOf({ ...usage(0, 1_000_000), reasoningTokens: 900_000 }, 'openai.gpt-5-mini')).toBeCloseTo(2);
  });

  it('knows dated names, and both ways to name the provider', () => {
    expect(costOf(usage(1_000_000, 0), 'gpt-4o-2024-08-06')).toBeCloseTo(2.5);
    expect(costOf(usage(1_000_000, 0), 'anthropic/claude-opus-4-5-20251101')).toBeCloseTo(5);
    expect(costOf(usage(1_000_000, 0), 'openai.gpt-4.1')).toBeCloseTo(2);
    expect(costOf(usage(1_000_000, 0), 'gpt-4.1')).toBeCloseTo(2);
  });

  it('says unknown, not 0, of a model without a price, also under the wrong provider', () => {
    expect(costOf(usage(5, 5), 'gpt-4o-huge')).toBeUndefined();
    expect(costOf(usage(5, 5), 'anthropic.gpt-4o')).toBeUndefined();
    expect(costOf(usage(5, 5), 'constructor')).toBeUndefined();
    expect(formatCost(addCost(noCost, usage(5, 5), 'mystery'))).toBe('Price unknown');
    const mixed = addCost(addCost(noCost, usage(1_000_000, 0), 'gpt-4o'), usage(1, 1), 'mystery');
    expect(mixed).toEqual({ usd: 2.5, unpriced: ['mystery'] });
    expect(formatCost(mixed)).toBe('≥ $2.50');
  });

  it('lets models that answer here cost nothing', () => {
    expect(costOf(usage(5, 5), 'script')).toBe(0);
    expect(formatCost({ usd: 0, unpriced: [] })).toBe('$0');
  });

  it('writes small sums so that they are told apart', () => {
    const words = [0.00001, 0.00042, 0.0042, 0.042, 0.42, 4.2, 4200].map((usd) => formatCost({ usd, unpriced: [] }));
    expect(words).toEqual(['< $0.0001', '$0.0004', '$0.0042', '$0.042', '$0.42', '$4.20', '$4,200.00']);
  });

  it('charges a dated name by its own price where it has one', () => {
    expect(costOf(usage(1_000_000, 0), 'gpt-4o-2024-05-13')).toBeCloseTo(5);
    expect(costOf(usage(1_000_000, 0), 'anthropic.claude-opus-4-20250514')).toBeCloseTo(15);
  });

  it('has a source for every price, and a price for every model that has a source', async () => {
    const page = await readFile(path.join(import.meta.dirname, 'prices.md'), 'utf8');
    const sourced = [...page.matchAll(/`((?:openai|anthropic|google|xai|moonshot)\/[^`]+)`/g)].map(
      ([, model]) => model,
    );
    expect(sourced.toSorted()).toEqual(Object.keys(prices).toSorted());
  });

  it('has prices that make sense', () => {
    for (const [key, price] of Object.entries(prices)) {
      expect(key).toMatch(/^[a-z]+\/[a-z0-9.-]+$/);
      expect(price.output).toBeGreaterThanOrEqual(price.input);
      if ('cached_input' in price) expect(price.cached_input).toBeLessThanOrEqual(price.input);
    }
  });

  it('property: more tokens never cost less, cached ones never more', () => {
    fc.assert(
      fc.property(
        fc.nat(1e6),
        fc.nat(1e6),
        fc.nat(1e6),
        fc.constantFrom(...Object.keys(prices)),
        (a, b, cached, model) => {
          const cost = costOf(usage(a, b), model) ?? Number.NaN;
          expect(costOf(usage(a + 1, b), model)).toBeGreaterThanOrEqual(cost);
          expect(costOf(usage(a, b, Math.min(a, cached)), model)).toBeLessThanOrEqual(cost + 1e-9);
        },
      ),
    );
  });
});

it('sums up to the same by model, template and instance', () => {
  const trace = emptyTrace();
  for (const event of eventsOf(
    'lead 0-90: model 0-10, model 80-90',
    'writer[1] 10-40: model 12-20',
    'writer[2] 10-60',
  )) {
    foldEvent(trace, event.kind === 'instance.started' ? { ...event, model: 'gpt-4o' } : event);
  }
  const whole = costOfModels(usageByModel(trace)).usd;
  const sum = (rows: readonly { readonly cost: { readonly usd: number } }[]) =>
    rows.reduce((total, { cost }) => total + cost.usd, 0);
  expect(whole).toBeGreaterThan(0);
  expect(sum(usageByTemplate(trace))).toBeCloseTo(whole);
  expect(sum(usageByInstance(trace, [0, 1, 2]))).toBeCloseTo(whole);
});

it('charges a short name by what it was asked as, here and where the record is read again', () => {
  const trace = emptyTrace();
  const short = 'sonnet?temperature=0';
  for (const event of eventsOf('lead 0-90: model 0-10, model 80-90', 'writer[1] 10-40: model 12-20')) {
    if (event.kind === 'instance.started') foldEvent(trace, { ...event, model: short });
    else if (event.kind !== 'model.started') foldEvent(trace, event);
    else foldEvent(trace, { ...event, model: short, provider: 'anthropic', modelName: 'claude-sonnet-4-6' });
  }
  for (const seen of [trace, decodeTrace(encodeTrace(trace))]) {
    const byModel = usageByModel(seen);
    expect(Object.keys(byModel)).toEqual(['anthropic/claude-sonnet-4-6']);
    const whole = costOfModels(byModel);
    expect(whole).toEqual({ usd: expect.any(Number), unpriced: [] });
    expect(whole.usd).toBeGreaterThan(0);
    const rows = usageByInstance(seen, [0, 1]).reduce((sum, { cost }) => sum + cost.usd, 0);
    expect(rows).toBeCloseTo(whole.usd);
  }
});

it('finds prices under the names that conventions have for providers, and invents none for others', () => {
  const trace = emptyTrace();
  const asked = { gemini: ['gcp.gemini', 'gemini-2.5-pro'], mine: ['openai_compatible', 'gpt-4o-mine'] } as const;
  const running = eventsOf('lead 0-90: model 0-10', 'writer[1] 10-40: model 12-20').values();
  const [inLead, inWriter] = ['gemini', 'mine'] as const;
  for (const event of running) {
    if (event.kind !== 'instance.started' && event.kind !== 'model.started') {
      foldEvent(trace, event);
      continue;
    }
    const model = event.path === 'lead' ? inLead : inWriter;
    const [provider, modelName] = asked[model];
    foldEvent(trace, event.kind === 'model.started' ? { ...event, model, provider, modelName } : { ...event, model });
  }
  expect(Object.keys(usageByModel(trace))).toEqual(['google/gemini-2.5-pro', 'mine']);
  expect(costOfModels(usageByModel(trace)).unpriced).toEqual(['mine']);
});

it('names no model whose calls are all those of others, however costs are rounded', () => {
  const [a, b, c] = [0.1, 0.2, 0.3].map((usd) => withRecordedCost(usage(0, 0), usd));
  if (a === undefined || b === undefined || c === undefined) throw new Error('three calls');
  const asked = addUsage(a, addUsage(b, c));
  const rows = usageOf({ model: 'lead', usage: addUsage(addUsage(a, b), c), askedUsage: { other: asked } });
  expect(rows.map(([model, used]) => [model, isUsed(used)])).toEqual([
    ['lead', false],
    ['other', true],
  ]);
});

it('charges a model that a server asked for at its own price, whoever asked', () => {
  const trace = emptyTrace();
  const million = { ...noUsage, inputTokens: 1_000_000, modelCalls: 1 };
  const path = brandAs<InstancePath>('lead');
  const asked = (model: string, step: string): EventBody => ({
    kind: 'model.started',
    path,
    step: brandAs(step),
    attempt: 1,
    model,
    messageCount: 1,
    tools: [],
  });
  const answered = (step: string): EventBody => ({
    kind: 'model.ended',
    path,
    step: brandAs(step),
    usage: million,
    requests: 1,
  });
  for (const event of log(
    [0, begin],
    [0, queued('lead')],
    [0, { kind: 'instance.started', path, input: '', model: 'gpt-4o' }],
    [1, asked('gpt-4o', 'lead#m1')],
    [2, answered('lead#m1')],
    [3, toolOn('lead', 1)],
    [4, asked('gpt-4o-mini', 'lead#t1.s1')],
    [5, answered('lead#t1.s1')],
    [6, asked('gpt-4o', 'lead#t1.s2')],
    [7, answered('lead#t1.s2')],
  )) {
    foldEvent(trace, event);
  }
  expect(usageByModel(trace)).toEqual({
    'gpt-4o': { ...million, inputTokens: 2_000_000, modelCalls: 2 },
    'gpt-4o-mini': million,
  });
  const usd = 2 * 2.5 + 0.15;
  expect(costOfModels(usageByModel(trace)).usd).toBeCloseTo(usd);
  expect(usageByTemplate(trace).map(({ cost }) => cost.usd)).toEqual([expect.closeTo(usd)]);
  expect(usageByInstance(trace, [0]).map(({ cost }) => cost.usd)).toEqual([expect.closeTo(usd)]);
  expect(costOfModels(usageByModel(decodeTrace(encodeTrace(trace)))).usd).toBeCloseTo(usd);
});
