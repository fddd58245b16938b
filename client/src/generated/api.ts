// Generated from the service's OpenAPI description by `npm run generate --workspace client`.
export interface paths {
    "/api/decode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decode a VIN.
         * @description Returns the vehicle report and your usage this month. Without a key and on the Free plan, the report has vin, wmi, vds, manufacturer, model, bodyStyle, bodyStyleNormalized, modelYear, and region. Other plans see everything that is known. Charged only if the status is 200.
         */
        post: operations["decode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/decode/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decode a batch of VINs.
         * @description Returns a result for every VIN, in the order of the request, with the fields of your plan. An invalid VIN gets an error and does not affect the others. Only decoded VINs are charged. If the batch reaches the monthly limit, the first VINs are decoded and the rest are marked `limit_reached`. With `Accept: application/x-ndjson`, each result is a line, and the last line has the counts and the usage.
         */
        post: operations["decodeBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/decode/candidates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get open questions.
         * @description Returns the report that the VIN and the hints settle together, and for each field that stays open the values that remain, most likely first. Needs a plan above Free. Charged like a decode. For 24 hours, more requests for the same VIN are free, whatever the hints.
         */
        post: operations["decodeCandidates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vin/{vin}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check a VIN without decoding it.
         * @description Free. Says what is wrong with a VIN and, if it looks mistyped, which VINs were likely meant. Of the vehicle it tells only what the first characters say to everyone: the makes and the region of the WMI, and the coded model year. Takes the beginning of a VIN, too, and a text with exactly one VIN in it, such as that of a label or a bar code.
         */
        get: operations["checkVin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of a job.
         * @description Returns the status of the job, and how many VINs are processed and charged. Free.
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a stopped job.
         * @description Continues with the first VIN that was not decoded. Does nothing to a job that is not stopped.
         */
        post: operations["resumeJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the results of a job.
         * @description Returns the results so far, in the order of the request: as lines of JSON, like a batch, or as a table if `Accept` has its media type: CSV, .xlsx, or Parquet. The connection is closed if nothing is read from it for a minute, or for a second if the workspace is getting several results and another one waits for a place.
         */
        get: operations["getJobResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/report-decode-issue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a wrong decode.
         * @description Queues the report for review. Write `unknown` in a field that you do not know. Once it is accepted, the VIN is decoded with the correction. With a key, the report belongs to your workspace, and `GET /api/reports` shows its state. Free.
         */
        post: operations["reportDecodeIssue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your reports.
         * @description Newest first, with the state of each. Free.
         */
        get: operations["listReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your usage.
         * @description Returns what is left this month, and the charged decodes of the last twelve months by day and by key. With a test key, returns the usage of your test keys. Free.
         */
        get: operations["usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a job.
         * @description Accepts up to 200,000 VINs and 10 MB as `{"vins": ["…"]}`, as lines of JSON (`application/x-ndjson`), as CSV (`text/csv`), or as an .xlsx or Parquet file, and decodes them in the background. Only decoded VINs are charged, each exactly once, even if the service restarts. At the monthly limit, the job stops until you resume it.
         */
        post: operations["createJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** ErrorResponse */
        ErrorResponse: {
            /**
             * @description What went wrong and what to do, for people.
             * @example A VIN has 17 characters; this one has 16.
             */
            error: string;
        };
        /**
         * VehicleReport
         * @description What the VIN says about the vehicle. Fields without a value are left out. Without manufacturer, the VIN was only parsed: its segments, validFormat, region, and bodyStyleNormalized, which is unknown.
         */
        VehicleReport: {
            /**
             * @description The decoded VIN.
             * @example 1HGCM82633A004352
             */
            vin: string;
            /**
             * @description World manufacturer identifier, positions 1-3.
             * @example 1HG
             */
            wmi?: string;
            /**
             * @description Vehicle descriptor section, positions 4-9.
             * @example CM8263
             */
            vds?: string;
            /**
             * @description Vehicle indicator section, positions 10-17.
             * @example 3A004352
             */
            vis?: string;
            /**
             * @description Position 9.
             * @example 3
             */
            checkDigit?: string;
            /**
             * @description Position 10.
             * @example 3
             */
            yearCode?: string;
            /**
             * @description Position 11.
             * @example A
             */
            plantCode?: string;
            /**
             * @description Positions 12-17, or 15-17 where the third character is 9.
             * @example 004352
             */
            serialNumber?: string;
            /** @description Whether the VIN is well-formed under ISO 3779. A wrong check digit does not change this. */
            validFormat?: boolean;
            /**
             * @description The make, as people say it. Present if and only if the vehicle was identified.
             * @example Honda
             */
            manufacturer?: string;
            /**
             * @description Model.
             * @example Accord
             */
            model?: string;
            /**
             * @description The maker's code for the model or type.
             * @example CM8
             */
            modelCode?: string;
            /**
             * @description Generation of the model.
             * @example VII
             */
            generation?: string;
            /**
             * @description Body style as a label for people.
             * @example Coupe
             */
            bodyStyle?: string;
            /**
             * @description Body style as a stable value for programs. unknown: not determined. other: known, but in none of the categories.
             * @example coupe
             * @enum {string}
             */
            bodyStyleNormalized?: "unknown" | "other" | "sedan" | "wagon" | "hatchback" | "coupe" | "cabrio" | "suv" | "van" | "pickup" | "truck" | "bus" | "motorcycle" | "trailer";
            /**
             * @description Model year.
             * @example 2003
             */
            modelYear?: string;
            /**
             * @description Trim level.
             * @example EX-V6
             */
            trim?: string;
            /**
             * @description Kind of vehicle: Passenger car (minivans too), SUV, Van, Pickup, Truck, Bus, Motorcycle, Trailer, Machine (of a farm or a building site), Off-road vehicle, Low-speed vehicle or Incomplete vehicle.
             * @example Passenger car
             */
            vehicleType?: string;
            /**
             * @description Plant, as city and country.
             * @example Marysville, United States
             */
            plant?: string;
            /**
             * @description The region that the WMI is assigned to. Left out where its maker is of another, and of machines: their codes (ISO 10261) name none.
             * @example North America
             */
            region?: string;
            /** @description The body styles that remain possible where the VIN does not settle one. */
            possibleBodyStyles?: string[];
            /** @description Technical data. Only what the VIN settles. */
            specs?: {
                /**
                 * @description The engine, as people write it.
                 * @example 3.0 L V6 (J30A4), gasoline
                 */
                engine?: string;
                /**
                 * @description Gasoline, Diesel, Electric, Hybrid, and so on.
                 * @example Gasoline
                 */
                fuelType?: string;
                /**
                 * @description Manual or Automatic, with details if known.
                 * @example Automatic
                 */
                transmission?: string;
                /**
                 * @description Which wheels are driven.
                 * @example Front-wheel drive
                 */
                driveType?: string;
                /**
                 * @description Power in kilowatts; of an electric car the greatest of all motors together.
                 * @example 179
                 */
                powerKw?: number;
                /**
                 * @description Engine displacement in cubic centimeters.
                 * @example 2998
                 */
                displacementCc?: number;
                /**
                 * @description Capacity of the traction battery in kilowatt-hours: usable in Europe, elsewhere as the maker publishes it.
                 * @example 75
                 */
                batteryCapacityKwh?: number;
                /**
                 * @description Emissions standard.
                 * @example Euro 6
                 */
                emissionsStandard?: string;
                /**
                 * @description The market the vehicle was built for.
                 * @example North America
                 */
                market?: string;
                /**
                 * @description Country of the plant.
                 * @example United States
                 */
                plantCountry?: string;
                /**
                 * @description City of the plant.
                 * @example Marysville
                 */
                plantCity?: string;
            };
            /** @description Dimensions, weights, and volumes of the model or variant. Only what is known. */
            technicalSpecs?: {
                /**
                 * @description Length in millimeters.
                 * @example 4813
                 */
                lengthMm?: number;
                /**
                 * @description Width in millimeters.
                 * @example 1816
                 */
                widthMm?: number;
                /**
                 * @description Height in millimeters.
                 * @example 1450
                 */
                heightMm?: number;
                /**
                 * @description Wheelbase in millimeters.
                 * @example 2741
                 */
                wheelbaseMm?: number;
                /**
                 * @description Curb weight in kilograms.
                 * @example 1500
                 */
                curbWeightKg?: number;
                /**
                 * @description Gross weight in kilograms.
                 * @example 2000
                 */
                grossWeightKg?: number;
                /**
                 * @description Ground clearance in millimeters.
                 * @example 150
                 */
                groundClearanceMm?: number;
                /**
                 * @description Cargo volume in liters.
                 * @example 400
                 */
                cargoVolumeLiters?: number;
                /**
                 * @description Cargo volume with the seats folded, in liters.
                 * @example 1200
                 */
                cargoVolumeMaxLiters?: number;
            };
        };
        /** UsageInfo */
        UsageInfo: {
            limit: number | null;
            remaining: number | null;
            resetAt: string | null;
        };
        /**
         * DecodeRequest
         * @example {
         *       "vin": "1HGCM82633A004352"
         *     }
         */
        DecodeRequest: {
            /**
             * @description The vehicle identification number. Case does not matter. Spaces, hyphens, and dots are removed.
             * @example 1HGCM82633A004352
             */
            vin: string;
        };
        /** DecodeResponse */
        DecodeResponse: {
            report: components["schemas"]["VehicleReport"];
            usage: components["schemas"]["UsageInfo"];
            /** @description Only in answers to a request with a key. */
            metadata?: {
                /**
                 * @description Plan of the key.
                 * @example free
                 * @enum {string}
                 */
                plan: "free" | "starter" | "business" | "enterprise";
                /** @description Whether there is a higher plan. */
                upgradeAvailable: boolean;
                /** @description How many values this vehicle has beyond the nine basic fields, whether or not your plan shows them. Segments of the VIN and validFormat do not count. */
                premiumFieldsAvailable: number;
            };
        };
        /** EnrichmentPendingResponse */
        EnrichmentPendingResponse: {
            /** @enum {string} */
            status: "enrichment_pending";
            /**
             * @description When to send the same request again.
             * @example 3
             */
            retryAfterSeconds: number;
            /**
             * @description This answer is free. The answer with the report is charged.
             * @enum {boolean}
             */
            usageCharged: false;
            usage: components["schemas"]["UsageInfo"];
        };
        /** RateLimitErrorResponse */
        RateLimitErrorResponse: {
            /**
             * @description What went wrong, for people.
             * @example The monthly limit of 100 decodes is reached. It resets next month. A higher limit takes effect at once.
             */
            error: string;
            limit?: number | null;
            remaining?: number | null;
            resetAt?: string | null;
        };
        /**
         * BatchRequest
         * @example {
         *       "vins": [
         *         "1HGCM82633A004352",
         *         "WVWZZZ1KZAW000001"
         *       ]
         *     }
         */
        BatchRequest: {
            /**
             * @description The VINs, each in the form that `POST /api/decode` accepts. At most 1,000, or 10 without a key.
             * @example [
             *       "1HGCM82633A004352",
             *       "WVWZZZ1KZAW000001"
             *     ]
             */
            vins: string[];
        };
        /** BatchResult */
        BatchResult: {
            /**
             * @description The VIN as it was sent.
             * @example 1HGCM82633A004352
             */
            vin: string;
            /**
             * @description decoded: has a `report` and is charged. invalid: not a VIN; `error` says why. enrichment_pending: the VIN is still being looked up; send it again after `retryAfterSeconds`. limit_reached: the monthly limit was reached before this VIN. Only decoded VINs are charged.
             * @example decoded
             * @enum {string}
             */
            status: "decoded" | "invalid" | "enrichment_pending" | "limit_reached";
            /** @description ID of the stored decode. Quote it when you ask about this decode. A single decode has it in `X-Request-Id`. */
            requestId?: string;
            report?: components["schemas"]["VehicleReport"];
            /** @description How many values this vehicle has beyond the nine basic fields, as in the metadata of a single decode. */
            premiumFieldsAvailable?: number;
            /** @description What is wrong and what to do, for people. */
            error?: string;
            retryAfterSeconds?: number;
        };
        /** BatchResponse */
        BatchResponse: {
            /** @description One for each VIN, in the order of the request. */
            results: components["schemas"]["BatchResult"][];
            /**
             * @description How many of the VINs were decoded and charged.
             * @example 2
             */
            charged: number;
            usage: components["schemas"]["UsageInfo"];
            metadata?: {
                /**
                 * @description Plan of the key.
                 * @example free
                 * @enum {string}
                 */
                plan: "free" | "starter" | "business" | "enterprise";
                /** @description Whether there is a higher plan. */
                upgradeAvailable: boolean;
            };
        };
        /** BatchEnd */
        BatchEnd: {
            /**
             * @description How many of the VINs were decoded and charged.
             * @example 2
             */
            charged: number;
            usage: components["schemas"]["UsageInfo"];
            metadata?: {
                /**
                 * @description Plan of the key.
                 * @example free
                 * @enum {string}
                 */
                plan: "free" | "starter" | "business" | "enterprise";
                /** @description Whether there is a higher plan. */
                upgradeAvailable: boolean;
            };
        };
        /**
         * CandidatesRequest
         * @example {
         *       "vin": "WVWZZZ1KZCW000001",
         *       "hints": {
         *         "powerKw": 77
         *       }
         *     }
         */
        CandidatesRequest: {
            /**
             * @description The VIN in the form that `POST /api/decode` accepts, or at least its first 11 characters, with * for each character that you do not know or do not want to send.
             * @example WVWZZZ1KZCW000001
             */
            vin: string;
            /** @description What you know about the vehicle besides its VIN. A hint narrows down what is open. It never overrules the VIN. */
            hints?: {
                /**
                 * @description The model year.
                 * @example 2012
                 */
                modelYear?: string | number;
                /**
                 * @description The year of the first registration.
                 * @example 2012
                 */
                registrationYear?: string | number;
                /**
                 * @description The fuel, such as Gasoline or Diesel.
                 * @example Diesel
                 */
                fuelType?: string | number;
                /**
                 * @description The displacement in cubic centimeters.
                 * @example 1598
                 */
                displacementCc?: string | number;
                /**
                 * @description The power in kilowatts.
                 * @example 77
                 */
                powerKw?: string | number;
                /**
                 * @description The body style, as `bodyStyleNormalized` has it.
                 * @example hatchback
                 */
                bodyStyleNormalized?: string | number;
                /**
                 * @description The driven wheels, such as Front-wheel drive.
                 * @example Front-wheel drive
                 */
                driveType?: string | number;
                /**
                 * @description Manual or Automatic.
                 * @example Manual
                 */
                transmission?: string | number;
                /**
                 * @description Europe or North America.
                 * @example Europe
                 */
                market?: string | number;
            };
        };
        /** CandidatesResponse */
        CandidatesResponse: {
            report: components["schemas"]["VehicleReport"];
            /** @description The fields that neither the VIN nor the hints settle. */
            open: {
                /**
                 * @description The path of the field in the report.
                 * @example specs.powerKw
                 */
                field: string;
                /**
                 * @description The values that remain possible, most likely first.
                 * @example [
                 *       77,
                 *       103
                 *     ]
                 */
                candidates: (string | number)[];
                /**
                 * @description How to find out, for people.
                 * @example [
                 *       "power in kW, in the registration document"
                 *     ]
                 */
                settledBy: string[];
            }[];
            /** @description The engines that remain possible, the likeliest first: their fuel, displacement, and power go together. Empty where the engine is settled, or none is known. Send the fields of one as hints to choose it. */
            engines: {
                /** @example Diesel */
                fuelType?: string;
                /** @example 1598 */
                displacementCc?: number;
                /**
                 * @description Absent: not known, or another power.
                 * @example 77
                 */
                powerKw?: number;
            }[];
            /** @description The names of hints that contradict the VIN, another hint, or all possible years. These hints were ignored. */
            conflicts: string[];
            usage: components["schemas"]["UsageInfo"];
            /** @description Only in answers to a request with a key. */
            metadata: {
                /**
                 * @description Plan of the key.
                 * @example free
                 * @enum {string}
                 */
                plan: "free" | "starter" | "business" | "enterprise";
                /** @description Whether there is a higher plan. */
                upgradeAvailable: boolean;
                /** @description How many values this vehicle has beyond the nine basic fields, whether or not your plan shows them. Segments of the VIN and validFormat do not count. */
                premiumFieldsAvailable: number;
            };
        };
        /** VinCheck */
        VinCheck: {
            /** @description Whether the VIN is well-formed under ISO 3779. */
            wellFormed: boolean;
            /**
             * @description The VIN, as Marque reads it.
             * @example 1HGCM82633A004352
             */
            vin?: string;
            /** @description Which character or length is wrong. */
            problem?: string;
            checkDigit?: {
                /**
                 * @description What the check digit should be, given the other characters.
                 * @example 3
                 */
                expected: string;
                /**
                 * @description The check digit that the VIN has.
                 * @example 3
                 */
                found: string;
                matches: boolean;
                /** @description Whether the market that the WMI is assigned to requires a check digit (North America, China). Elsewhere, a difference means nothing. */
                required: boolean;
            };
            /**
             * @description Makes whose vehicles carry the WMI, from the first three characters on. Left out, like `region` and `modelYear`, if a client asks too often.
             * @example [
             *       "Honda"
             *     ]
             */
            makes?: string[];
            /**
             * @description Where the WMI is assigned.
             * @example North America
             */
            region?: string;
            /**
             * @description The model year that the code at position 10 stands for, where the maker uses it, from ten characters on.
             * @example 2003
             */
            modelYear?: string;
            /** @description Present only if the VIN looks mistyped: up to five VINs that were likely meant, best first. Left out if a client, or all clients together, ask for too many. */
            suggestions?: {
                /**
                 * @description A VIN that may have been meant.
                 * @example 1HGCM82633A004352
                 */
                vin: string;
                /** @description How this VIN differs from the text. */
                changes: {
                    /**
                     * @description The position in the text, from 1, not counting spaces, hyphens, and dots.
                     * @example 13
                     */
                    position: number;
                    /**
                     * @description What the text has there: a character, two swapped characters, or nothing.
                     * @example O
                     */
                    from: string;
                    /**
                     * @description What should be there, or nothing.
                     * @example 0
                     */
                    to: string;
                    /**
                     * @description How the mistake may have happened.
                     * @example look-alike
                     * @enum {string}
                     */
                    kind: "look-alike" | "neighbouring-key" | "transposition" | "other-character" | "missing-character" | "extra-character";
                }[];
                checkDigit: {
                    /**
                     * @description What the check digit should be, given the other characters.
                     * @example 3
                     */
                    expected: string;
                    /**
                     * @description The check digit that the VIN has.
                     * @example 3
                     */
                    found: string;
                    matches: boolean;
                    /** @description Whether the market that the WMI is assigned to requires a check digit (North America, China). Elsewhere, a difference means nothing. */
                    required: boolean;
                };
            }[];
        };
        /** JobResponse */
        JobResponse: {
            /** @example 019ab3c2-7d1e-7c3a-9f53-0d8f2f6a1b11 */
            id: string;
            /**
             * @description stopped: the monthly limit was reached, the workspace is suspended, or the key that sent it was revoked. A stopped job can be resumed.
             * @example queued
             * @enum {string}
             */
            status: "queued" | "running" | "completed" | "stopped";
            /** @description How many VINs the job has. */
            vins: number;
            /** @description How many have been processed. */
            done: number;
            /** @description How many of these were decoded and charged. */
            charged: number;
            /** @description The share that has been processed. */
            progress: number;
            /**
             * Format: date-time
             * @description When the job was created.
             */
            createdAt: string;
            finishedAt: string | null;
            /**
             * @description Where to get the results.
             * @example /api/jobs/019ab3c2/results
             */
            results: string;
            /**
             * @description What kind of table was read.
             * @example CSV
             */
            form: string;
            /**
             * @description The column that the VINs are read from.
             * @example VIN
             */
            column: string;
            encoding: string | null;
        };
        /** JobPreview */
        JobPreview: {
            /** @description How many rows the job would have. */
            vins: number;
            /** @description How many of these have a VIN: at most so many decodes are charged. */
            valid: number;
            /**
             * @description What kind of table was read.
             * @example CSV
             */
            form: string;
            /**
             * @description The column that the VINs are read from.
             * @example VIN
             */
            column: string;
            encoding: string | null;
            /** @description The names of the columns, in their order. */
            columns: string[];
            /** @description The first rows without a VIN. */
            problems: {
                /** @description The line of the file. */
                line: number;
                /** @description What the column of VINs has there. */
                text: string;
                /** @description What to change. */
                problem: string;
            }[];
            /** @description The first rows, as they were read. */
            sample: string[][];
        };
        /** JobResult */
        JobResult: {
            /**
             * @description The VIN as it was sent.
             * @example 1HGCM82633A004352
             */
            vin: string;
            /**
             * @description decoded: has a `report` and is charged. invalid: not a VIN; `error` says why. enrichment_pending: the VIN is still being looked up; send it again after `retryAfterSeconds`. limit_reached: the monthly limit was reached before this VIN. Only decoded VINs are charged.
             * @example decoded
             * @enum {string}
             */
            status: "decoded" | "invalid" | "enrichment_pending" | "limit_reached";
            /** @description ID of the stored decode. Quote it when you ask about this decode. A single decode has it in `X-Request-Id`. */
            requestId?: string;
            report?: components["schemas"]["VehicleReport"];
            /** @description How many values this vehicle has beyond the nine basic fields, as in the metadata of a single decode. */
            premiumFieldsAvailable?: number;
            /** @description What is wrong and what to do, for people. */
            error?: string;
            retryAfterSeconds?: number;
            /**
             * @description The row as it was sent, if the table has other columns or fields than that of the VINs.
             * @example {
             *       "id": 7,
             *       "VIN": "1HGCM82633A004352"
             *     }
             */
            row?: {
                [key: string]: unknown;
            };
        };
        /** ReportDecodeIssueRequest */
        ReportDecodeIssueRequest: {
            /**
             * @description The VIN that was decoded.
             * @example 1HGCM82633A004352
             */
            vin: string;
            /**
             * @description The right make.
             * @example Honda
             */
            expectedManufacturer: string;
            /**
             * @description The right model.
             * @example Accord
             */
            expectedModel: string;
            /**
             * @description The right body style.
             * @example Coupe
             */
            expectedBodyStyle: string;
            /**
             * @description The right model year.
             * @example 2003
             */
            expectedModelYear: string;
            /**
             * @description The right values of other fields, by their paths in the report: `modelCode`, `generation`, `trim`, `vehicleType`, `plant`, `region`, `specs.engine`, `specs.fuelType`, `specs.transmission`, `specs.driveType`, `specs.powerKw`, `specs.displacementCc`, `specs.batteryCapacityKwh`, `specs.emissionsStandard`, `specs.market`, `specs.plantCountry`, `specs.plantCity`, `technicalSpecs.lengthMm`, `technicalSpecs.widthMm`, `technicalSpecs.heightMm`, `technicalSpecs.wheelbaseMm`, `technicalSpecs.curbWeightKg`, `technicalSpecs.grossWeightKg`, `technicalSpecs.groundClearanceMm`, `technicalSpecs.cargoVolumeLiters`, `technicalSpecs.cargoVolumeMaxLiters`. Numbers in the units of the report.
             * @example {
             *       "specs.fuelType": "Diesel",
             *       "specs.powerKw": 103
             *     }
             */
            expectedFields?: {
                [key: string]: string | number;
            };
            /**
             * @description The report that you received. Up to 64 KiB of JSON; the body has at most 1,000 names and 2,000 values.
             * @example {
             *       "vin": "1HGCM82633A004352",
             *       "manufacturer": "Honda",
             *       "model": "Civic"
             *     }
             */
            actualReport?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description What is wrong, and how you know.
             * @example The registration says 2003.
             */
            note: string;
        };
        /** ReportDecodeIssueResponse */
        ReportDecodeIssueResponse: {
            /** @description true: the report is stored. */
            saved: boolean;
            /**
             * @description Where the report came from: subscriber (with a key), public (without a key), or portal.
             * @example subscriber
             */
            source: string;
        };
        /** OwnReportsResponse */
        OwnReportsResponse: {
            /** @description The workspace's reports, newest first. */
            reports: {
                id: string;
                vin: string;
                expectedManufacturer: string;
                expectedModel: string;
                expectedBodyStyle: string;
                expectedModelYear: string;
                /**
                 * @description The other fields that the report claims, as they were sent.
                 * @example {
                 *       "specs.powerKw": 103
                 *     }
                 */
                expectedFields?: {
                    [key: string]: string | number;
                };
                note: string;
                /**
                 * @example subscriber
                 * @example portal
                 */
                source: string;
                /**
                 * @description queued: waiting for review. accepted: the VIN is now decoded with the correction. rejected: see reason. superseded: another correction covers it. reverted: the correction was undone.
                 * @example queued
                 * @example accepted
                 * @example rejected
                 * @example superseded
                 * @example reverted
                 */
                state: string;
                reason: string | null;
                /** Format: date-time */
                createdAt: string;
                decidedAt: string | null;
            }[];
            next: string | null;
        };
        /** UsageResponse */
        UsageResponse: {
            usage: components["schemas"]["UsageInfo"];
            /** @description The last twelve months, the current one first. */
            months: {
                /**
                 * @description The calendar month, in UTC.
                 * @example 2026-05
                 */
                month: string;
                /**
                 * @description Charged decodes.
                 * @example 42
                 */
                charged: number;
                /** @description Days with charged decodes, oldest first. */
                days: {
                    /**
                     * Format: date
                     * @description The day, in UTC.
                     * @example 2026-05-20
                     */
                    day: string;
                    /**
                     * @description Charged decodes.
                     * @example 42
                     */
                    charged: number;
                }[];
                /** @description Keys with charged decodes, most used first. */
                keys: {
                    /** @description ID of the key; empty for what people decoded in the portal. */
                    id: string;
                    /**
                     * @description The name of the key.
                     * @example production
                     */
                    name: string;
                    /**
                     * @description The first and last characters of the key.
                     * @example mq_live_4fGh…x9Yz
                     */
                    key: string;
                    /**
                     * @description Charged decodes.
                     * @example 42
                     */
                    charged: number;
                }[];
            }[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    decode: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any key that is unique to this request. If you repeat the request within 24 hours, you get the same answer and are charged once. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecodeRequest"];
            };
        };
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description Decodes allowed in the current month, or unlimited. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Decodes left in the current month, or unlimited. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Unix time of the next reset, in seconds. */
                    "X-RateLimit-Reset"?: string;
                    /** @description The version of the catalog that decoded the VIN: see `GET /api/catalog`. Absent from repeated answers. */
                    "X-Catalog-Version"?: string;
                    /** @description ID of the stored decode. Quote it when you ask about this decode. */
                    "X-Request-Id"?: string;
                    /** @description Present only if this answers a repeated request with the same Idempotency-Key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecodeResponse"];
                };
            };
            /** @description The VIN is still being looked up. Send the same request again after Retry-After seconds. Not charged. */
            202: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description Decodes allowed in the current month, or unlimited. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Decodes left in the current month, or unlimited. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Unix time of the next reset, in seconds. */
                    "X-RateLimit-Reset"?: string;
                    /** @description The version of the catalog that decoded the VIN: see `GET /api/catalog`. Absent from repeated answers. */
                    "X-Catalog-Version"?: string;
                    /** @description ID of the stored decode. Quote it when you ask about this decode. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before you ask again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrichmentPendingResponse"];
                };
            };
            /** @description The body is not JSON or has no valid VIN. The message says what to change. */
            400: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The key is invalid or inactive, or was sent in the wrong place. */
            401: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The first request with this Idempotency-Key is still in progress. */
            409: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is not sent as JSON. */
            415: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The monthly limit is reached. */
            429: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description Decodes allowed in the current month, or unlimited. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Decodes left in the current month, or unlimited. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Unix time of the next reset, in seconds. */
                    "X-RateLimit-Reset"?: string;
                    /** @description The version of the catalog that decoded the VIN: see `GET /api/catalog`. Absent from repeated answers. */
                    "X-Catalog-Version"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitErrorResponse"];
                };
            };
            /** @description The service failed. */
            500: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too busy. Try again after Retry-After seconds. */
            503: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    decodeBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any key that is unique to this request. If you repeat the request within 24 hours, you get the same answer and are charged once. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchRequest"];
            };
        };
        responses: {
            /** @description A result for every VIN. */
            200: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description Decodes allowed in the current month, or unlimited. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Decodes left in the current month, or unlimited. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Unix time of the next reset, in seconds. */
                    "X-RateLimit-Reset"?: string;
                    /** @description The version of the catalog that decoded the VIN: see `GET /api/catalog`. Absent from repeated answers. */
                    "X-Catalog-Version"?: string;
                    /** @description Present only if this answers a repeated request with the same Idempotency-Key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchResponse"];
                    "application/x-ndjson": components["schemas"]["BatchResult"] | components["schemas"]["BatchEnd"];
                };
            };
            /** @description The body is not JSON, or has no list of VINs or too many. */
            400: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The key is invalid or inactive, or was sent in the wrong place. */
            401: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The first request with this Idempotency-Key is still in progress. */
            409: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is not sent as JSON. */
            415: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The monthly limit is reached. None of the VINs was decoded. */
            429: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description Decodes allowed in the current month, or unlimited. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Decodes left in the current month, or unlimited. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Unix time of the next reset, in seconds. */
                    "X-RateLimit-Reset"?: string;
                    /** @description The version of the catalog that decoded the VIN: see `GET /api/catalog`. Absent from repeated answers. */
                    "X-Catalog-Version"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitErrorResponse"];
                };
            };
            /** @description The service failed. */
            500: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too busy. Try again after Retry-After seconds. */
            503: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    decodeCandidates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CandidatesRequest"];
            };
        };
        responses: {
            /** @description The report, and what is open. */
            200: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description Decodes allowed in the current month, or unlimited. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Decodes left in the current month, or unlimited. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Unix time of the next reset, in seconds. */
                    "X-RateLimit-Reset"?: string;
                    /** @description The version of the catalog that decoded the VIN: see `GET /api/catalog`. Absent from repeated answers. */
                    "X-Catalog-Version"?: string;
                    /** @description ID of the stored decode. Quote it when you ask about this decode. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CandidatesResponse"];
                };
            };
            /** @description The body is not JSON, or its VIN or a hint is invalid. The message says what to change. */
            400: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The key is missing, invalid, or inactive, or was sent in the wrong place. */
            401: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Your plan does not include candidates. */
            403: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is not sent as JSON. */
            415: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The monthly limit is reached, or candidates are asked for too often. */
            429: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description Decodes allowed in the current month, or unlimited. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Decodes left in the current month, or unlimited. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Unix time of the next reset, in seconds. */
                    "X-RateLimit-Reset"?: string;
                    /** @description The version of the catalog that decoded the VIN: see `GET /api/catalog`. Absent from repeated answers. */
                    "X-Catalog-Version"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitErrorResponse"];
                };
            };
            /** @description The service failed. */
            500: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too busy. Try again after Retry-After seconds. */
            503: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    checkVin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The VIN to check, or its beginning.
                 * @example 1HGCM82633A004352
                 */
                vin: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is right and wrong with the VIN. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VinCheck"];
                };
            };
            /** @description The address is not a valid URL path. */
            400: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The request headers are too large. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobResponse"];
                };
            };
            /** @description The key is missing, invalid, or inactive, or was sent in the wrong place. */
            401: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description This workspace has no such job. */
            404: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A test key was used too often. Try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitErrorResponse"];
                };
            };
            /** @description The service failed. */
            500: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too busy. Try again after Retry-After seconds. */
            503: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    resumeJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            202: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobResponse"];
                };
            };
            /** @description The key is missing, invalid, or inactive, or was sent in the wrong place. */
            401: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description This workspace has no such job. */
            404: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A test key was used too often. Try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitErrorResponse"];
                };
            };
            /** @description The service failed. */
            500: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too busy. Try again after Retry-After seconds. */
            503: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getJobResults: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The results. */
            200: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["JobResult"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The key is missing, invalid, or inactive, or was sent in the wrong place. */
            401: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description This workspace has no such job. */
            404: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The workspace is getting too many results at once. */
            429: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description Decodes allowed in the current month, or unlimited. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Decodes left in the current month, or unlimited. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Unix time of the next reset, in seconds. */
                    "X-RateLimit-Reset"?: string;
                    /** @description Seconds to wait before you try again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitErrorResponse"];
                };
            };
            /** @description The service failed. */
            500: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too busy. Try again after Retry-After seconds. */
            503: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    reportDecodeIssue: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any key that is unique to this request. If you repeat the request within 24 hours, the report is stored once. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportDecodeIssueRequest"];
            };
        };
        responses: {
            /** @description The report is stored. */
            200: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the report. With a key, `GET /api/reports` shows its state. */
                    "X-Report-Id"?: string;
                    /** @description Present only if this answers a repeated request with the same Idempotency-Key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportDecodeIssueResponse"];
                };
            };
            /** @description The body is not JSON, or fields are missing, blank, or too long. The message names each of them. */
            400: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The key is invalid or inactive, or was sent in the wrong place. */
            401: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The first request with this Idempotency-Key is still in progress. */
            409: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is not sent as JSON. */
            415: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The Idempotency-Key was used for a different report. */
            422: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many reports in a short time, or too many waiting for review. Try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description Decodes allowed in the current month, or unlimited. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Decodes left in the current month, or unlimited. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Unix time of the next reset, in seconds. */
                    "X-RateLimit-Reset"?: string;
                    /** @description Seconds to wait before you try again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitErrorResponse"];
                };
            };
            /** @description The service failed. */
            500: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too busy. Try again after Retry-After seconds. */
            503: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listReports: {
        parameters: {
            query?: {
                /** @description Reports per page, up to 200. */
                limit?: string;
                /** @description The `next` of the previous page. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of reports. */
            200: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnReportsResponse"];
                };
            };
            /** @description A query parameter is not valid. */
            400: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The key is missing, invalid, or inactive, or was sent in the wrong place. */
            401: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A test key was used too often. Try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitErrorResponse"];
                };
            };
            /** @description The service failed. */
            500: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too busy. Try again after Retry-After seconds. */
            503: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    usage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage. */
            200: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageResponse"];
                };
            };
            /** @description The key is missing, invalid, or inactive, or was sent in the wrong place. */
            401: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A test key was used too often. Try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitErrorResponse"];
                };
            };
            /** @description The service failed. */
            500: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too busy. Try again after Retry-After seconds. */
            503: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createJob: {
        parameters: {
            query?: {
                /** @description The column of a table, or the field of lines of JSON, that has the VINs, by name or number. Default: the one whose values are VINs. */
                column?: string;
                /** @description The encoding of a text, such as `windows-1252` or `shift_jis`. Default: the `charset` of the media type, else detected; a text whose encoding is not clear is refused. */
                encoding?: string;
                /** @description `1`: say what would be decoded, from which column and in which encoding, without storing or charging anything. */
                dryRun?: string;
            };
            header?: {
                /** @description Any key that is unique to this request. If you repeat the request within 24 hours, you get the same job. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "vins": [
                 *         "1HGCM82633A004352",
                 *         "WVWZZZ1KZ4W000001"
                 *       ]
                 *     }
                 */
                "application/json": {
                    vins: string[];
                };
                "application/x-ndjson": string;
                "text/csv": string;
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                "application/vnd.apache.parquet": unknown;
            };
        };
        responses: {
            /** @description With `dryRun`: what the job would do. Nothing is stored or charged. */
            200: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobPreview"];
                };
            };
            /** @description The job is stored. */
            202: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description Where to get the state of the job. */
                    Location?: string;
                    /** @description Present only if this answers a repeated request with the same Idempotency-Key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobResponse"];
                };
            };
            /** @description The body has no VINs or too many. The message says what to change. */
            400: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The key is missing, invalid, or inactive, or was sent in the wrong place. */
            401: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description This workspace has no such job. */
            404: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The first request with this Idempotency-Key is still in progress. */
            409: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is not JSON, lines of JSON, CSV, .xlsx, or Parquet. */
            415: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The workspace has as many jobs as it may keep, or sends too many at once or in a short time. */
            429: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace. Only with a key. */
                    "X-Service-Client"?: string;
                    /** @description Decodes allowed in the current month, or unlimited. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Decodes left in the current month, or unlimited. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Unix time of the next reset, in seconds. */
                    "X-RateLimit-Reset"?: string;
                    /** @description Seconds to wait before you try again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitErrorResponse"];
                };
            };
            /** @description The service failed. */
            500: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too busy. Try again after Retry-After seconds. */
            503: {
                headers: {
                    /** @description ID of the request, if it carried a key. Look it up under Requests in the portal. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
}
