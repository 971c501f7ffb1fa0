import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ArgumentsForm } from '@/components/people/arguments-form';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { foldEvent } from '@/lib/trace/fold';
import { AgainActions } from './again-actions';
import type { AgainServices } from './again-services';

const services: AgainServices = {
  start: async () => undefined,
  approval: {
    readTrust: async () => ({ ok: false, message: '' }),
    askCommands: async () => ({ ok: false, message: '' }),
  },
  pin: async () => undefined,
  unpin: async () => undefined,
};

it('offers for each selection what can be run again', async () => {
  const model = scriptedModel({
    lead: [{ calls: [{ tool: 'agent__kid', arguments: { text: 'x' } }] }, 'end'],
    kid: 'kid says',
  });
  const { log } = await runGraph({ parsed: graphOf('lead > kid'), model });
  const trace = emptyTrace();
  for (const event of log) foldEvent(trace, event);
  const offered = (span: number) =>
    [
      ...renderToStaticMarkup(<AgainActions {...{ trace, span, services }} projectId="p" />).matchAll(
        /<\/svg>(?:<[^>]*>)*([^<]+)/g,
      ),
    ].map(([, words]) => words);
  const byKind = Object.fromEntries(
    Array.from({ length: trace.spans.length }, (_, span) => [
      `${trace.lanes[trace.spans.lane.at(span)]?.path} ${trace.spans.kindOf(span)}`,
      offered(span),
    ]),
  );
  expect(byKind).toMatchObject({
    'lead model': ['Run again from here'],
    'lead instance': ['Run again from here'],
    'lead tool': ['Run again from here', 'Run this instance again', 'Pin result'],
    'lead/kid[1] instance': ['Run again from here', 'Run this instance again'],
    'lead/kid[1] model': ['Run again from here'],
  });
});

it('has a field for each argument, and JSON for text that is no object yet', () => {
  const form = renderToStaticMarkup(<ArgumentsForm text='{"text":"two","count":[1]}' onText={() => undefined} />);
  expect(form).toMatch(/<label[^>]*>text<\/label>/);
  expect(form).toMatch(/<label[^>]*>count<\/label>/);
  expect(form).toContain('[1]');
  const typed = renderToStaticMarkup(<ArgumentsForm text='{"text":' onText={() => undefined} />);
  expect(typed).toContain('aria-label="Arguments as JSON"');
});
