-- SPDX-License-Identifier: MIT
-- HTTP over the sockets of the C library, to 127.0.0.1 on Linux: a connection for each request.
local ffi = require "ffi"

ffi.cdef [[
  struct locus_spec_address { unsigned short family, port; unsigned host; char rest[8]; };
  struct locus_spec_time { long seconds, microseconds; };
  int socket(int domain, int type, int protocol);
  int bind(int fd, const void *address, unsigned length);
  int connect(int fd, const void *address, unsigned length);
  int getsockname(int fd, void *address, unsigned *length);
  int setsockopt(int fd, int level, int name, const void *value, unsigned length);
  long send(int fd, const void *bytes, size_t count, int flags);
  long recv(int fd, void *bytes, size_t count, int flags);
  int close(int fd);
]]

local C = ffi.C
local INET, STREAM = 2, 1
local SOCKET, RECEIVE_TIMEOUT, NO_SIGNAL = 1, 20, 0x4000

local http = {}

-- A port in the order of the network, and back.
local function swapped(port)
  return bit.bor(bit.lshift(bit.band(port, 0xff), 8), bit.rshift(port, 8))
end

local function address(port)
  return ffi.new("struct locus_spec_address", {INET, swapped(port), ffi.abi "le" and 0x0100007f})
end

local SIZE = ffi.sizeof "struct locus_spec_address"

--- A port that nobody listens at.
function http.free_port()
  local fd, got, length = C.socket(INET, STREAM, 0), address(0), ffi.new("unsigned[1]", SIZE)
  assert(C.bind(fd, got, SIZE) == 0 and C.getsockname(fd, got, length) == 0)
  C.close(fd)
  return swapped(got.port)
end

--- A connection; nil where nobody listens.
function http.connect(port)
  local fd = C.socket(INET, STREAM, 0)
  local patience = ffi.new("struct locus_spec_time", {20, 0})
  C.setsockopt(fd, SOCKET, RECEIVE_TIMEOUT, patience, ffi.sizeof(patience))
  if C.connect(fd, address(port), SIZE) == 0 then return fd end
  C.close(fd)
end

function http.send(fd, text)
  local at = 0
  while at < #text do
    local sent = C.send(fd, ffi.cast("const char *", text) + at, #text - at, NO_SIGNAL)
    if sent <= 0 then return end
    at = at + tonumber(sent)
  end
end

local buffer = ffi.new "char[65536]"

--- The next bytes, at most that many: none if the other side has closed.
function http.some(fd, most)
  local count = tonumber(C.recv(fd, buffer, most or 65536, 0))
  return ffi.string(buffer, math.max(count, 0))
end

--- The status and the body of the answer that comes before the other side closes; nil where a part
--- of it is missing.
function http.receive(fd)
  local parts = {}
  repeat parts[#parts + 1] = http.some(fd) until parts[#parts] == ""
  C.close(fd)
  local head, body = table.concat(parts):match "^(HTTP/1.1 .-)\r\n\r\n(.*)$"
  if head and #body == tonumber(head:lower():match "content%-length: (%d+)") then
    return tonumber(head:match "^%S+ (%d+)"), body
  end
end

local REQUEST = "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
  .. "%sContent-Length: %d\r\n\r\n"

--- The status and the body of the answer to a GET, or of a POST of that body; nil where there is
--- none, or not all of it.
function http.ask(port, path, body)
  local fd = http.connect(port)
  if not fd then return end
  http.send(fd, REQUEST:format(body and "POST" or "GET", path, "", #(body or "")) .. (body or ""))
  return http.receive(fd)
end

local CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n"

--- Begins a POST whose body has that many bytes, and gives the connection once the server waits for
--- them.
function http.begin(port, path, bytes)
  local fd = assert(http.connect(port), "nobody listens")
  http.send(fd, REQUEST:format("POST", path, "Expect: 100-continue\r\n", bytes))
  assert(http.some(fd, #CONTINUE) == CONTINUE)
  return fd
end

return http
