import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain';
import * as callbacks from '@langchain/core/callbacks/manager';
import { tool } from '@langchain/core/tools';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';
import { telemetry } from './telemetry.mjs';

const provider = telemetry('langgraph-app');
const instrumentation = new LangChainInstrumentation();
instrumentation.setTracerProvider(provider);
instrumentation.manuallyInstrument(callbacks);
const weather = tool(async ({ city }) => `Sunny in ${city}`, {
  name: 'get_weather',
  description: 'The weather of a city',
  schema: z.object({ city: z.string() }),
});
const llm = new ChatOpenAI({ model: 'fake-model', apiKey: 'none', configuration: { baseURL: process.env.MODEL_URL } });
const agent = createReactAgent({ llm, tools: [weather], name: 'weather-agent' });
await agent.invoke({ messages: [{ role: 'user', content: 'What is the weather in Paris?' }] });
await provider.shutdown();
