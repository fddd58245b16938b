import SerializerSelector from '@fastify/fast-json-stringify-compiler';

type Serializer = SerializerSelector.Serializer;

const built = new Map<string, Serializer>();

/**
 * Fastify's own serializers, one for each distinct schema, compiled when the first answer needs it.
 *
 * Most routes share their error answers. Compiling those anew for every route and status, and compiling what no answer
 * has needed yet, took most of the time in which a service starts.
 */
export const sharedSerializers: SerializerSelector.SerializerFactory = (externalSchemas, options) => {
  const compile = SerializerSelector()(externalSchemas, options);
  const settings = JSON.stringify([externalSchemas, options]);
  return (route) => {
    const key = settings + JSON.stringify(route.schema);
    const known = built.get(key);
    if (known !== undefined) return known;
    const serializer = whenNeeded(() => compile(route));
    built.set(key, serializer);
    return serializer;
  };
};

function whenNeeded(compile: () => Serializer): Serializer {
  let compiled: Serializer | undefined;
  return (data) => (compiled ??= compile())(data);
}
