// What every agent does: a planner asks for the weather of two cities at once, of which one has none, then asks a packing expert, which
// is an agent of its own with another model, and answers.
export const question = 'What do I take to Paris and Oslo?';
export const plannerModel = 'fake-planner';
export const packerModel = 'fake-packer';

/** The tool. Says what it did, so that the trace can be compared with it. */
export async function weatherOf({ city }) {
  await note({
    tool: 'get_weather',
    arguments: { city },
    ...(city === 'Oslo' ? { error: noStation } : { result: `Sunny in ${city}` }),
  });
  if (city === 'Oslo') throw new Error(noStation);
  return `Sunny in ${city}`;
}

const noStation = 'No weather station in Oslo';

async function note(what) {
  await fetch(`${process.env.MODEL_URL}/did`, { method: 'POST', body: JSON.stringify(what) });
}
