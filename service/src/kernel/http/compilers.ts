import ValidatorSelector from '@fastify/ajv-compiler';
import SerializerSelector from '@fastify/fast-json-stringify-compiler';

type Serializer = SerializerSelector.Serializer;
type ValidatorFactory = ReturnType<typeof ValidatorSelector>;
type Validator = ReturnType<ReturnType<ValidatorFactory>>;

/** Makes a compiler from the schemas that others refer to and its options. It is given a route with its schema. */
type Factory<Schemas, Options, Route, Compiled> = (schemas: Schemas, options: Options) => (route: Route) => Compiled;

/**
 * Returns one of Fastify's compilers that makes one function for each distinct schema, when it is first needed.
 *
 * Most routes share their parameters and their error answers. Compiling those again for every route, and compiling what
 * no request has needed yet, took most of the time in which a service starts.
 *
 * @param lazily gives a function that compiles at its first call.
 */
function shared<Schemas, Options, Route, Compiled>(
  factory: Factory<Schemas, Options, Route, Compiled>,
  lazily: (compile: () => Compiled) => Compiled,
): Factory<Schemas, Options, Route, Compiled> {
  /** Compiled functions, by the shared schemas and the options, then by the schema itself; all as JSON. */
  const built = new Map<string, Map<string, Compiled>>();
  /** The compiler that was made last, with its inputs: Fastify asks again for each route. */
  let last: { parts: readonly unknown[]; compiler: (route: Route) => Compiled } | undefined;
  const open: typeof factory = (schemas, options) => {
    const compile = factory(schemas, options);
    const settings = JSON.stringify([schemas, options]);
    const functions = built.get(settings) ?? new Map<string, Compiled>();
    built.set(settings, functions);
    return (route) => {
      const schema = JSON.stringify(schemaOf(route));
      const made = functions.get(schema) ?? lazily(() => compile(route));
      functions.set(schema, made);
      return made;
    };
  };
  return (schemas, options) => {
    const parts = [options, ...Object.values(Object(schemas))];
    if (last?.parts.length !== parts.length || !parts.every((part, index) => part === last?.parts[index])) {
      last = { parts, compiler: open(schemas, options) };
    }
    return last.compiler;
  };
}

/** Returns a route's schema. Fastify's types promise a validator's compiler a schema; it gets the route. */
function schemaOf(route: unknown): unknown {
  return Reflect.get(Object(route), 'schema');
}

/** Writes answers. */
export const sharedSerializers = shared(SerializerSelector(), (compile): Serializer => {
  let compiled: Serializer | undefined;
  return (data) => (compiled ??= compile())(data);
});

/** Checks the parts of requests. Fastify calls a validator with the part, and reads its `errors`. */
export const sharedValidators = shared(ValidatorSelector(), (compile) => {
  let compiled: Validator | undefined;
  const validate: Pick<Validator, 'errors'> & ((data: unknown) => unknown) = (data) => {
    compiled ??= compile();
    const outcome: unknown = compiled(data);
    validate.errors = compiled.errors ?? null;
    return outcome;
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the other parts of a validator are for Ajv itself.
  return validate as Validator;
});
