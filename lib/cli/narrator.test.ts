import { expect, it } from 'vitest';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';
import { createNarrator } from './narrator';

async function narrated(maxDisplayInstances: number | undefined): Promise<string[]> {
  const calls = ['a', 'b', 'bad', 'c'].map((text) => ({ tool: 'agent__kid', arguments: { text } }));
  const model = scriptedModel({
    lead: [{ calls }, 'end'],
    kid: ({ instanceName }) =>
      instanceName === 'kid[3]' ? { error: { code: 'model_down', message: 'down' } } : 'kid says',
  });
  const parsed = graphOf('lead > kid', { cards: { lead: { maxDisplayInstances, maxParallel: 1 } } });
  const { log } = await runGraph({ parsed, model });
  const narrate = createNarrator();
  return log.map(narrate).join('').split('\n');
}

it('folds the instances beyond max_display_instances into a count, but for those that fail', async () => {
  expect(await narrated(2)).toEqual([
    'lead',
    'lead started',
    'lead/kid[1] started',
    'lead/kid[1] done',
    'lead/kid[2] started',
    'lead/kid[2] done',
    'lead/kid[3] failed: down',
    'lead ✗ Error: down',
    'lead: 2 more instances than the 2 shown',
    'lead done',
    '',
  ]);
  expect(await narrated(undefined)).toContain('lead/kid[4] done');
});
