# Varnish 6 or newer in front of Marque, behind something that ends TLS. Nothing is cached but what says so: everything else is charged
# or personal. On Debian: /etc/varnish/default.vcl.
vcl 4.1;

backend marque {
    .host = "127.0.0.1";
    .port = "8080";
    .connect_timeout = 2s;
    .first_byte_timeout = 120s;
    .between_bytes_timeout = 120s;
    .probe = {
        .url = "/readyz";
        .interval = 1s;
        .window = 2;
        .threshold = 1;
        .initial = 1;
    }
}

sub vcl_recv {
    # Varnish adds the address of its client; only the program that ends TLS may have written one before.
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    if (req.url !~ "^/assets/") {
        return (pass);
    }
    # Assets say themselves how long they may be kept, and no cookie changes them.
    unset req.http.Cookie;
    return (hash);
}

sub vcl_backend_fetch {
    # Marque closes idle connections after 75 seconds: start varnishd with -p backend_idle_timeout=60 (its default).
    return (fetch);
}

sub vcl_backend_response {
    # An asset that one instance does not have yet would be missing for two minutes.
    if (bereq.url !~ "^/assets/" || beresp.status != 200) {
        set beresp.uncacheable = true;
        # The lines of a batch are sent as they arrive.
        set beresp.do_stream = true;
    }
}
