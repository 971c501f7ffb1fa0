import { readFolder } from '@/lib/cards/project/read-folder';
import { type Template, templatePlace } from '@/lib/client/template-groups';
import { projectGraph } from '@/lib/graph/project';
import { type Sketch, sketchGraph } from '@/lib/graph/thumbnail';
import { listSamples, type OfferedHere, readSample } from './samples';

/** Samples do not change while the app runs, so each picture is made once. */
const sketches = new Map<string, Promise<Sketch>>();

/** Lists the samples as templates of new projects, each with a picture of its graph. */
export async function listTemplates(here: OfferedHere): Promise<Template[]> {
  const samples = await listSamples(here);
  return Promise.all(
    samples.map(async (sample) => ({
      ...sample,
      ...templatePlace(sample.id, sample.title),
      sketch: await sketchOf(sample.id),
    })),
  );
}

async function sketchOf(id: string): Promise<Sketch> {
  const made = sketches.get(id) ?? drawSketch(id);
  sketches.set(id, made);
  return made;
}

async function drawSketch(id: string): Promise<Sketch> {
  const { folder } = await readSample(id);
  const parsed = readFolder(folder);
  return sketchGraph(projectGraph(parsed), parsed.settings.canvas.positions);
}
