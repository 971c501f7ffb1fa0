import { usageInJson } from '@/lib/interop/spans/reading/usage-of-span';
import { type Convention, hasAttribute, kindIn } from './convention';
import { observationKinds } from './openinference';

/** MLflow. Every value is JSON. */
export const mlflow: Convention = {
  source: { key: 'mlflow', isFrom: hasAttribute('mlflow.') },
  kind: (_, reader) => kindIn(observationKinds, reader.text('mlflow.spanType')),
  names: { model: ['mlflow.llm.model'], input: ['mlflow.spanInputs'], output: ['mlflow.spanOutputs'] },
  jsonTexts: ['mlflow.'],
  read: ({ reader }) => {
    const usage = usageInJson(reader.value('mlflow.chat.tokenUsage'));
    return usage && { usage };
  },
};
