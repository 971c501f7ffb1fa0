import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import * as ai from 'ai';
import { z } from 'zod';
import { packerModel, plannerModel, question, weatherOf } from './scene.mjs';
import { telemetry } from './telemetry.mjs';

const { generateText, stepCountIs, tool } = ai;
const provider = telemetry('vercel-ai-app');
const traced = await tracing();
const models = createOpenAICompatible({ name: 'fake', baseURL: process.env.MODEL_URL, apiKey: 'none' });
await generateText({
  model: models(plannerModel),
  prompt: question,
  stopWhen: stepCountIs(6),
  tools: {
    get_weather: tool({
      description: 'The weather of a city',
      inputSchema: z.object({ city: z.string() }),
      execute: weatherOf,
    }),
    ask_packer: tool({
      description: 'Asks the packing expert',
      inputSchema: z.object({ input: z.string() }),
      execute: async ({ input }) =>
        (await generateText({ model: models(packerModel), prompt: input, maxRetries: 0, ...traced('packer') })).text,
    }),
  },
  maxRetries: 0,
  ...traced('planner'),
}).catch((error) => console.log(`  it failed: ${error.message}`));
await provider.shutdown();

/** Version 7 has its spans in a package of their own, the versions before have them inside. */
async function tracing() {
  if (ai.registerTelemetry === undefined) {
    return (functionId) => ({ experimental_telemetry: { isEnabled: true, functionId } });
  }
  const { OpenTelemetry } = await import('@ai-sdk/otel');
  ai.registerTelemetry(new OpenTelemetry());
  return (functionId) => ({ telemetry: { isEnabled: true, functionId } });
}
