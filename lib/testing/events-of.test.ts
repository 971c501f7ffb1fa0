import { expect, it } from 'vitest';
import { eventsOf } from './events-of';

it('writes the log of a parent and two children', () => {
  const log = eventsOf('lead 0-90: model 0-10, model 80-90', 'writer[1] 10-40: time__now 12-20', 'critic[1] 10>15-');
  expect(log.map((event) => `${event.at} ${event.kind} ${'path' in event ? event.path : ''}`.trim())).toEqual([
    '0 run.started',
    '0 instance.queued lead',
    '0 instance.started lead',
    '0 model.started lead',
    '10 model.ended lead',
    '10 tool.started lead',
    '10 tool.started lead',
    '10 instance.queued lead/writer[1]',
    '10 instance.started lead/writer[1]',
    '10 instance.queued lead/critic[1]',
    '12 tool.started lead/writer[1]',
    '15 instance.started lead/critic[1]',
    '20 tool.ended lead/writer[1]',
    '40 instance.ended lead/writer[1]',
    '40 tool.ended lead',
    '80 model.started lead',
    '90 model.ended lead',
    '90 instance.ended lead',
    '90 run.finished',
  ]);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
});
