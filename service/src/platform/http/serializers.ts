import SerializerSelector from '@fastify/fast-json-stringify-compiler';

type Serializer = SerializerSelector.Serializer;

/** By the shared schemas and the options, then by the schema of the answer; all as JSON. */
const built = new Map<string, Map<string, Serializer>>();

/** The compiler that was made last, with what it was made of: Fastify asks again for each route. */
let last: { parts: readonly unknown[]; compiler: SerializerSelector.SerializerCompiler } | undefined;

/**
 * Fastify's own serializers, one for each distinct schema, compiled when the first answer needs it.
 *
 * Most routes share their error answers. Compiling those anew for every route and status, and compiling what no answer
 * has needed yet, took most of the time in which a service starts.
 */
export const sharedSerializers: SerializerSelector.SerializerFactory = (externalSchemas, options) => {
  const parts = [options, ...Object.values(externalSchemas ?? {})];
  if (last?.parts.length !== parts.length || !parts.every((part, index) => part === last?.parts[index])) {
    last = { parts, compiler: sharedCompiler(externalSchemas, options) };
  }
  return last.compiler;
};

const sharedCompiler: SerializerSelector.SerializerFactory = (externalSchemas, options) => {
  const compile = SerializerSelector()(externalSchemas, options);
  const settings = JSON.stringify([externalSchemas, options]);
  const serializers = built.get(settings) ?? new Map<string, Serializer>();
  built.set(settings, serializers);
  return (route) => {
    const schema = JSON.stringify(route.schema);
    const serializer = serializers.get(schema) ?? whenNeeded(() => compile(route));
    serializers.set(schema, serializer);
    return serializer;
  };
};

function whenNeeded(compile: () => Serializer): Serializer {
  let compiled: Serializer | undefined;
  return (data) => (compiled ??= compile())(data);
}
