import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** The provider's response to one VIN. */
export type Behavior = (response: ServerResponse, request: IncomingMessage) => void;

/** A real HTTP server that plays a party outside, in vPIC's format by default. */
export interface Provider extends AsyncDisposable {
  /** The address as in ENRICHMENT_VPIC_URL. */
  url: string;
  /** VINs in the order in which they were asked for. */
  asked: string[];
  /** The most requests for one VIN that were ever under way at once. */
  mostAtOnce(): number;
  /** Sets the treatment of a VIN from now on; without a VIN, of all that have none of their own. */
  treat(behavior: Behavior, vin?: string): void;
  /** Resolves when it was asked this often. */
  untilAsked(times: number): Promise<void>;
}

/** Starts a provider that knows nothing. */
export async function startProvider(): Promise<Provider> {
  const asked: string[] = [];
  const treated = new Map<string, Behavior>();
  const underWay = new Map<string, number>();
  const waiting: { times: number; resolve: () => void }[] = [];
  let most = 0;
  let usual: Behavior = answers({ ErrorCode: '7' });
  const server = createServer((request, response) => {
    const vin = /[A-HJ-NPR-Z0-9]{17}/.exec(request.url ?? '')?.[0] ?? '';
    asked.push(vin);
    most = Math.max(most, (underWay.get(vin) ?? 0) + 1);
    underWay.set(vin, (underWay.get(vin) ?? 0) + 1);
    response.on('close', () => underWay.set(vin, (underWay.get(vin) ?? 0) - 1));
    for (const one of waiting) if (asked.length >= one.times) one.resolve();
    (treated.get(vin) ?? usual)(response, request);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The provider has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/api`,
    asked,
    mostAtOnce: () => most,
    treat(behavior, vin) {
      if (vin === undefined) usual = behavior;
      else treated.set(vin, behavior);
    },
    async untilAsked(times) {
      if (asked.length >= times) return;
      await new Promise<void>((resolve) => void waiting.push({ times, resolve }));
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Answers as vPIC does, with these values and the others empty. */
export function answers(values: Record<string, string>, vinInAnswer?: string): Behavior {
  return (response, request) => {
    const vin = /[A-HJ-NPR-Z0-9]{17}/.exec(request.url ?? '')?.[0] ?? '';
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.end(JSON.stringify(vpicBody(vinInAnswer ?? vin, values)));
  };
}

/** Returns a whole answer of DecodeVinValuesExtended, with the variables that matter here and a few that do not. */
export function vpicBody(vin: string, values: Record<string, string>): object {
  const empty = 'ABS,BatteryKWh,BatteryKWh_to,BodyCabType,BodyClass,CurbWeightLB,DisplacementCC,DisplacementCI,'
    .concat('DisplacementL,Doors,DriveType,ElectrificationLevel,EngineConfiguration,EngineCylinders,EngineHP,')
    .concat('EngineHP_to,EngineKW,EngineModel,FuelTypePrimary,FuelTypeSecondary,GVWR,Make,MakeID,Manufacturer,Model,')
    .concat(
      'ModelID,ModelYear,NCSABodyType,PlantCity,PlantCountry,PlantState,PossibleValues,Seats,Series,SuggestedVIN,',
    )
    .concat(
      'TransmissionSpeeds,TransmissionStyle,Trim,Turbo,VehicleDescriptor,VehicleType,WheelBaseLong,WheelBaseShort',
    )
    .split(',')
    .map((variable) => [variable, '']);
  const result = { ...Object.fromEntries(empty), VIN: vin, ErrorCode: '0', ErrorText: '', ...values };
  const note =
    'Results returned successfully. NOTE: Any missing decoded values should be interpreted as NHTSA does not';
  return { Count: 1, Message: note, SearchCriteria: `VIN:${vin}`, Results: [result] };
}

/** vPIC's answer for a known passenger car. */
export const FIESTA = {
  ErrorCode: '0',
  Make: 'FORD',
  Model: 'Fiesta',
  ModelYear: '2014',
  Trim: 'SE',
  VehicleType: 'PASSENGER CAR',
  BodyClass: 'Hatchback/Liftback/Notchback',
  Doors: '5',
  FuelTypePrimary: 'Gasoline',
  EngineCylinders: '4',
  EngineConfiguration: 'In-Line',
  DisplacementCC: '1600.0',
  DisplacementL: '1.6',
  EngineHP: '120',
  DriveType: 'FWD/Front-Wheel Drive',
  TransmissionStyle: 'Manual/Standard',
  TransmissionSpeeds: '5',
  PlantCity: 'CUAUTITLAN',
  PlantCountry: 'MEXICO',
};
