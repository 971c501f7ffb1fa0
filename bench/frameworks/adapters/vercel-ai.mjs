import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs, tool } from 'ai';
import { z } from 'zod';
import { telemetry } from './telemetry.mjs';

const provider = telemetry('vercel-ai-app');
const models = createOpenAICompatible({ name: 'fake', baseURL: process.env.MODEL_URL, apiKey: 'none' });
await generateText({
  model: models('fake-model'),
  prompt: 'What is the weather in Paris?',
  stopWhen: stepCountIs(4),
  tools: {
    get_weather: tool({
      description: 'The weather of a city',
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => `Sunny in ${city}`,
    }),
  },
  experimental_telemetry: { isEnabled: true, functionId: 'weather-agent' },
});
await provider.shutdown();
